/** Pixels → what a network takes: planes of blue, green, red, each byte normalised. */
import type { Pixels } from './picture.ts'

/** Byte → number, per plane. */
export function tablesOf(means: readonly number[], deviations: readonly number[]): Float32Array[] {
  return means.map((mean, plane) =>
    Float32Array.from({ length: 256 }, (_, value) => (value - mean) / (deviations[plane] as number)),
  )
}

/** The picture in a larger field of one colour. */
export interface Field {
  width: number
  height: number
  /** Where the picture begins. */
  left: number
  top: number
  /** The byte around it. */
  padding: number
}

/** Three planes of the field's size; without one, of the picture's. */
export function tensorOf(
  { data, width, height }: Pixels,
  tables: readonly Float32Array[],
  field: Field = { width, height, left: 0, top: 0, padding: 0 },
): Float32Array {
  const count = field.width * field.height
  const tensor = new Float32Array(3 * count)
  tables.forEach((table, channel) => {
    const plane = tensor.subarray(channel * count, (channel + 1) * count)
    if (width < field.width || height < field.height) plane.fill(table[field.padding] as number)
    let from = 2 - channel
    for (let y = 0; y < height; y++) {
      let to = (field.top + y) * field.width + field.left
      const end = to + width
      for (; to < end; to++, from += 3) plane[to] = table[data[from] as number] as number
    }
  })
  return tensor
}
