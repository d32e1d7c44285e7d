/** The page, ready to be served. */
export interface PageBundle {
  html: string
  /** Served under `/assets/`; the names change with the contents. Read when they are asked for: an editor is large. */
  files: { [name: string]: { type: string; text(): Promise<string> } }
}

/** The build of the binary puts the finished page here; in a clone it is made when it is first asked for. */
export const pageBundle: PageBundle | null = null
