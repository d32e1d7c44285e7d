/** Somebody who may sign in. */
export interface UserRow {
  id: number
  name: string
  /** The name as names are compared. */
  key: string
  role: 'admin' | 'operator' | 'viewer'
  /** Cameras that they may see, each `<id>` or `role:<role>`; null: all. */
  cameras: string[] | null
  /** argon2id. */
  password: string
  createdAt: number
  /** Null: they are there. */
  removedAt: number | null
}

/** Somebody who is signed in at one browser. */
export interface SessionRow {
  id: number
  userId: number
  /** SHA-256 of its secret, hex. */
  hash: string
  /** Of the secret before that one. */
  former: string | null
  /** Until when that one still holds; null while the new one was never shown. */
  formerUntil: number | null
  /** Which browser, in a few words. */
  device: string | null
  createdAt: number
  renewedAt: number
  /** To within a few minutes. */
  seenAt: number
}

/** What a program shows instead of a password. */
export interface TokenRow {
  id: number
  /** Whose it is: it may never do more than they may. */
  userId: number
  name: string
  /** SHA-256, hex. */
  hash: string
  scopes: string[]
  createdAt: number
  /** To within a few minutes. */
  usedAt: number | null
  expiresAt: number | null
}

/** Tries that failed under one key (`name anna`, `from 192.168.1.7`). */
export interface AttemptRow {
  key: string
  count: number
  /** The latest. */
  at: number
  /** Nothing is tried before that; 0: nothing keeps anybody out. */
  until: number
}

/** A link by which one person answers one question. */
export interface AnswerLinkRow {
  /** SHA-256 of its secret, hex. */
  hash: string
  approvalId: number
  /** As the site names them. */
  person: string
}
