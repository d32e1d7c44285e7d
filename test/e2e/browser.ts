/** A real browser for the tests of the page, where one is installed. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'

const PROGRAM = '/usr/bin/chromium'
const SHOTS = process.env.SHOTS ?? resolve(import.meta.dirname, '../../test-output/screenshots')

export const hasBrowser = existsSync(PROGRAM)

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: PROGRAM,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

/**
 * The open page as it is, at both widths, by day and by night: what axe-core finds, texts that are hard to read, and
 * whether it is wider than the screen. Pictures of it go to `test-output/screenshots`, or SHOTS, under that name.
 */
export async function judged(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  for (const width of [360, 1280])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      const wrong = [...(await page.evaluate(faintTexts)), ...(await violations(page))]
      if (wide > 0) wrong.push(`${wide} px too wide`)
      found.push(...wrong.map(line => `${width} ${colorScheme}: ${line}`))
      await page.screenshot({ path: join(SHOTS, `${name}-${width}-${colorScheme}.png`), fullPage: true })
    }
  return found
}

/** What axe-core finds wrong with the open page, as `rule: where`. Styles and scripts of the page stay as they are. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations: found } = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run(),
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${target.join(' ')} ${html.slice(0, 200)}`),
  )
}

/**
 * Texts of the open page whose contrast with what lies behind them is under 4.5 (WCAG AA), as `ratio text`.
 * Runs inside the browser: it may use nothing from outside of itself.
 */
export function faintTexts(): string[] {
  const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number)
  const luminance = (color: string) => {
    const [r = 0, g = 0, b = 0] = channels(color).map(value => {
      const share = value / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const behind = (element: Element | null): string => {
    if (!element) return 'rgb(255, 255, 255)'
    const color = getComputedStyle(element).backgroundColor
    return channels(color)[3] === 0 ? behind(element.parentElement) : color
  }
  const faint: string[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    const text = node.textContent?.trim()
    if (!element || !text || !element.checkVisibility() || element.closest('noscript')) continue
    const [light = 0, dark = 0] = [
      luminance(getComputedStyle(element).color),
      luminance(behind(element)),
    ].sort((a, b) => b - a)
    const ratio = (light + 0.05) / (dark + 0.05)
    if (ratio < 4.5) faint.push(`${ratio.toFixed(2)} ${text}`)
  }
  return faint
}
