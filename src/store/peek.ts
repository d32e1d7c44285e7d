import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { storeError } from './errors.ts'
import type { SiteRulesRow } from './rows.ts'

/**
 * The site's rules as they were last set, read beside a process that may have the data folder: it is not held up, and
 * nothing is written. Null where nothing was ever set. Throws where the file cannot be read.
 */
export function peekSiteRules(dir: string, name = 'gatehouse.db'): SiteRulesRow | null {
  const file = join(dir, name)
  if (!existsSync(file)) return null
  let db: Database | null = null
  try {
    db = new Database(file, { readonly: true, strict: true })
    db.run('PRAGMA busy_timeout = 2000')
    const there = db.query("SELECT 1 FROM sqlite_schema WHERE name = 'site_rules_versions'").get()
    return there
      ? (db
          .query('SELECT * FROM site_rules_versions ORDER BY version DESC LIMIT 1')
          .get() as SiteRulesRow | null)
      : null
  } catch (error) {
    throw storeError(error, file)
  } finally {
    db?.close()
  }
}
