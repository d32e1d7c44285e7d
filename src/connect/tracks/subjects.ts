/** The subjects on which detectors tell what they follow. */
const TIER0 = 'opennvr.inference.tier0.'
const COMPLETED = '.completed'
const OBSERVED = 'opennvr.events.detection.observed.v1.'

/** The detector's own of a camera, and the one of the domain event that tells the same. */
export function subjectsOf(camera: string): string[] {
  return [`${TIER0}${camera}${COMPLETED}`, `${OBSERVED}${camera}`]
}

/** Whether it is the domain event's. */
export function isCopy(subject: string): boolean {
  return subject.startsWith(OBSERVED)
}

/** What stands in a subject for the camera. */
export function cameraOf(subject: string): string {
  return isCopy(subject) ? subject.slice(OBSERVED.length) : subject.slice(TIER0.length, -COMPLETED.length)
}
