/** The whole box on a free port, with a browser before it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { Appliance } from '../../src/app.ts'
import { resources } from '../../src/box/resources.ts'
import { noLog } from '../../src/core/index.ts'
import { Site } from '../../src/site/index.ts'
import { openBrowser } from './browser.ts'

export const SITE = `cameras:
  north: { name: North gate, roles: [gate] }
people:
  guard: { name: Guard, roles: [guard] }
lists: { residents: [], deliveries: [] }
destinations:
  gate: { url: "http://127.0.0.1:9/", class: move }
`

export interface RealBox {
  box: Appliance
  browser: Browser
  page: Page
  url: string
  /** What the browser said on its console. */
  complaints: string[]
  stop(): Promise<void>
}

export async function startReal(): Promise<RealBox> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-real-'))
  const site = Site.load(SITE, 'site.yaml')
  const box = new Appliance({ dataDir, resources: resources(), site, log: noLog, port: 0 })
  const url = (await box.start()).url ?? ''
  const browser = await openBrowser()
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  page.setDefaultTimeout(10_000)
  const complaints: string[] = []
  page.on('console', message => complaints.push(message.text()))
  page.on('pageerror', error => complaints.push(error.message))
  const stop = async () => {
    await browser.close()
    await box.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { box, browser, page, url, complaints, stop }
}
