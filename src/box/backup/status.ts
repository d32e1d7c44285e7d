import { readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How the backups are that are made by themselves. */
export interface BackupStatus {
  /** The last one that came to something, ISO 8601; null: none did. */
  made_at: string | null
  file: string | null
  bytes: number | null
  /** The last try. */
  tried_at: string | null
  /** Why that came to nothing; null: it did not. */
  problem: string | null
}

const NOTHING: BackupStatus = { made_at: null, file: null, bytes: null, tried_at: null, problem: null }
const FILE = 'backup.json'

export function backupStatusIn(stateDir: string): BackupStatus {
  try {
    return {
      ...NOTHING,
      ...(JSON.parse(readFileSync(join(stateDir, FILE), 'utf8')) as Partial<BackupStatus>),
    }
  } catch {
    return NOTHING
  }
}

/** Everybody on the box may read it; null: none are made. */
export async function tellBackups(stateDir: string, status: BackupStatus | null): Promise<void> {
  if (status === null) return rm(join(stateDir, FILE), { force: true })
  await mkdir(stateDir, { recursive: true, mode: 0o755 })
  const unfinished = join(stateDir, `${FILE}.unfinished`)
  await writeFile(unfinished, JSON.stringify(status), { mode: 0o644 })
  await rename(unfinished, join(stateDir, FILE))
}
