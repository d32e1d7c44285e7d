export type PictureType = 'jpeg' | 'png' | 'webp'

const signatures: readonly (readonly [PictureType, readonly (number | null)[]])[] = [
  ['jpeg', [0xff, 0xd8, 0xff]],
  ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['webp', [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50]],
]

/** What a picture is by its first bytes, whatever its name says; null: nothing that is accepted here. */
export function pictureType(bytes: Uint8Array): PictureType | null {
  const match = signatures.find(([, start]) => start.every((byte, i) => byte === null || bytes[i] === byte))
  return match?.[0] ?? null
}
