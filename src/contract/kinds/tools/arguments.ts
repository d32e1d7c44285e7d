import { Type } from '@sinclair/typebox'

/** What the site has names of, that a tool's argument can be. */
export type Named = 'camera' | 'list' | 'role'

/** A name of the site; the room that offers the tool narrows it to those that there are. */
export const named = (names: Named, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 64, siteNames: names, description }))

/** The camera that a tool is about. */
export const cameraArgument = named(
  'camera',
  'Which camera. Leave it out for the camera of the event. Not a place, a person or a plate.',
)

export const wholeNumber = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, description }))
