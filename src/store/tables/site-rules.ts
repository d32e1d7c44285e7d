import type { Connection } from '../connection.ts'
import type { SiteRulesRow } from '../rows.ts'

/** Versions whose text is kept; of older ones remains who, when and what. */
const MOST_TEXTS = 100

/** The site's rules as they were set on this box: one row per version; the last one is in force. */
export class SiteRulesVersions {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  add(row: SiteRulesRow): void {
    this.#connection.change('INSERT INTO site_rules_versions VALUES (?, ?, ?, ?, ?, ?, ?)', [
      row.version,
      row.hash,
      row.rules,
      row.facts,
      row.author,
      row.change,
      row.at,
    ])
    this.#connection.change('UPDATE site_rules_versions SET rules = NULL WHERE version <= ?', [
      row.version - MOST_TEXTS,
    ])
  }

  current(): SiteRulesRow | null {
    return this.#connection.get('SELECT * FROM site_rules_versions ORDER BY version DESC LIMIT 1')
  }

  get(version: number): SiteRulesRow | null {
    return this.#connection.get('SELECT * FROM site_rules_versions WHERE version = ?', [version])
  }

  /** The one before it; null: it was the first. */
  before(version: number): SiteRulesRow | null {
    return this.#connection.get(
      'SELECT * FROM site_rules_versions WHERE version < ? ORDER BY version DESC LIMIT 1',
      [version],
    )
  }

  /** Newest first, without what was set: lists may be long. */
  list(limit: number): Omit<SiteRulesRow, 'rules'>[] {
    return this.#connection.all(
      `SELECT version, hash, facts, author, change, at FROM site_rules_versions ORDER BY version DESC LIMIT ?`,
      [limit],
    )
  }

  /** Of every version whose text is kept and says something, what it set of cameras, as JSON. */
  camerasSaying(text: string): string[] {
    return this.#connection
      .all<{ cameras: string }>(
        `SELECT DISTINCT json_extract(rules, '$.cameras') AS cameras FROM site_rules_versions
         WHERE instr(rules, ?) AND json_type(rules, '$.cameras') = 'object'`,
        [text],
      )
      .map(({ cameras }) => cameras)
  }

  /** Whether what was set in any version says something, as JSON. */
  say(text: string): boolean {
    const sql = 'SELECT 1 FROM site_rules_versions WHERE instr(rules, ?) LIMIT 1'
    return this.#connection.get(sql, [text]) !== null
  }
}
