import type { XmlElement } from '@rgrove/parse-xml'

/** The longest list of profiles of a camera is a third of that. */
export const MOST_XML_BYTES = 256 * 1024

/**
 * The root of an XML document, or null where it is none. No entity is expanded and nothing is fetched; what is nested
 * without end is none.
 */
export async function readXml(bytes: Uint8Array): Promise<XmlElement | null> {
  // Loaded with the first camera that speaks ONVIF.
  const { parseXml } = await import('@rgrove/parse-xml')
  try {
    return parseXml(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).root
  } catch {
    return null
  }
}

/** The elements of that name inside, however deep; names are compared without their prefix. */
export function all(within: XmlElement | null, name: string): XmlElement[] {
  const found: XmlElement[] = []
  const visit = (element: XmlElement) => {
    for (const child of elementsOf(element)) {
      if (localName(child) === name) found.push(child)
      visit(child)
    }
  }
  if (within) visit(within)
  return found
}

/** The first element down a path of names, each somewhere inside of the one before. */
export function one(within: XmlElement | null, ...path: string[]): XmlElement | null {
  let at = within
  for (const name of path) at = all(at, name)[0] ?? null
  return at
}

/** The text of an element down a path, without space around it; null: it is not there, or has none. */
export function textOf(within: XmlElement | null, ...path: string[]): string | null {
  return one(within, ...path)?.text.trim() || null
}

export function localName({ name }: XmlElement): string {
  return name.slice(name.indexOf(':') + 1)
}

function elementsOf({ children }: XmlElement): XmlElement[] {
  return children.filter((child): child is XmlElement => child.type === 'element')
}

/** A text as it may stand in XML. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`).replace(/[^\t\n\r\x20-\uffff]/g, '')
}
