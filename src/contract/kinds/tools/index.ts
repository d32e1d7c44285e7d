import type { ToolDescriptor } from '../../kind.ts'
import { askPerson } from './ask_person.ts'
import { cameraHealth } from './camera_health.ts'
import { cameraSnapshot } from './camera_snapshot.ts'
import { describeCamera } from './describe_camera.ts'
import { describeEvent } from './describe_event.ts'
import { describeWindow } from './describe_window.ts'
import { detectObjects } from './detect_objects.ts'
import { recentEvents } from './recent_events.ts'
import { recentPlates } from './recent_plates.ts'
import { recognizeFaces } from './recognize_faces.ts'
import { searchFootage } from './search_footage.ts'
import { searchHistory } from './search_history.ts'
import { siteLookup } from './site_lookup.ts'

/** The tools that an investigation may use. */
export const tools = {
  camera_snapshot: cameraSnapshot,
  describe_camera: describeCamera,
  describe_event: describeEvent,
  describe_window: describeWindow,
  detect_objects: detectObjects,
  recent_events: recentEvents,
  recent_plates: recentPlates,
  recognize_faces: recognizeFaces,
  search_history: searchHistory,
  search_footage: searchFootage,
  site_lookup: siteLookup,
  camera_health: cameraHealth,
  ask_person: askPerson,
} as const satisfies Readonly<Record<string, ToolDescriptor>>

export type ToolKind = keyof typeof tools
