import { missing } from '../missing.ts'
import type { SitePort } from '../types.ts'

/** Why a tool is not there, for people: of this version, or of a site that is known. Null: it is there. */
export function lacking(name: string, site: Pick<SitePort, 'faces'> | undefined): string | null {
  if (Object.hasOwn(missing.tools, name)) return missing.tools[name as keyof typeof missing.tools]
  if (name === 'recognize_faces' && site && !site.faces)
    return 'faces are off at this site: name who compares them under faces'
  return null
}
