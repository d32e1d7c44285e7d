import { plainText } from '../../contract/index.ts'
import { cut as cutTo } from '../../core/index.ts'

/** A text for people with at most `most` characters; what was cut off shows. */
export function cut(given: string, most: number): string {
  return cutTo(plainText(given), most)
}
