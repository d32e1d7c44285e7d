/** What came of the last test of something that the site names. */
export interface SiteTestRow {
  kind: 'channel' | 'destination' | 'camera'
  name: string
  at: number
  /** `left`: what it is must not be tried; nothing was sent. */
  outcome: 'works' | 'failed' | 'left'
  message: string
}
