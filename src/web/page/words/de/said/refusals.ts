/** What the box says when it refuses. */
export const refusals = {
  'There is no such {1}.': 'Das gibt es nicht: {1}.',
}
