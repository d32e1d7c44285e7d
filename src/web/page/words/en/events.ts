/** What starts a workflow, on its card. */
export const events = {
  from: 'from {cameras}',
  'picture.arrived.v1': 'A new picture',
  'plate.recognized.v1': 'A plate was read',
  'access.decided.v1': 'A vehicle was let in or turned away',
  'visit.recorded.v1': 'A visit was recorded',
  'occupancy.changed.v1': 'How many are there has changed',
  'detection.observed.v1': 'Something is being followed',
  'alert.fired.v1': 'An alert was raised',
}
