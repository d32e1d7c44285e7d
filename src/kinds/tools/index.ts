import type { ToolKind } from '../../contract/index.ts'
import type { missing } from '../missing.ts'
import type { ToolFunction } from '../types.ts'
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
import { searchHistory } from './search_history.ts'
import { siteLookup } from './site_lookup.ts'

export const tools: Record<Exclude<ToolKind, keyof typeof missing.tools>, ToolFunction> = {
  camera_snapshot: cameraSnapshot,
  describe_camera: describeCamera,
  describe_event: describeEvent,
  describe_window: describeWindow,
  detect_objects: detectObjects,
  recent_events: recentEvents,
  recent_plates: recentPlates,
  search_history: searchHistory,
  site_lookup: siteLookup,
  camera_health: cameraHealth,
  recognize_faces: recognizeFaces,
  ask_person: askPerson,
}
