import { useContext, useEffect, useState } from 'preact/hooks'
import type { Refused } from '../api.ts'
import { Who } from '../may.ts'

/** Dispatched on the window where rules were changed elsewhere on this page. */
export const RULES_CHANGED = 'rules-changed'

/** Something of the rules, and the version that it is of. */
export interface At<T> {
  version: number
  value: T
}

export interface Editing<T> {
  /** As it is being written; null: it is not known yet. */
  value: T | null
  set(value: T): void
  /** As it is in force, as far as this page knows. */
  base: T | null
  changed: boolean
  /** It was written before this page was loaded. */
  kept: boolean
  /** What somebody else saved meanwhile, which has to be looked at first. */
  theirs: At<T> | null
  /** What to go on with: from then on it follows theirs. */
  take(value: T): void
  /** Goes by what was done apart from this. */
  reload(): Promise<void>
  discard(): void
  save(): Promise<boolean>
  busy: boolean
  problem: string
  /** The version that was saved last from here; null: none. */
  saved: number | null
}

interface EditingOptions<T> {
  /** Names what is written where the browser keeps it. */
  key: string
  get(): Promise<At<T>>
  /** Rejects with `rules_changed` where another version is in force by now. */
  put(value: T, version: number): Promise<At<T>>
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/**
 * Writing at a part of the rules: what is not saved survives a reload in this tab, and what somebody else saved
 * meanwhile is neither written over unseen nor costs anything of what was written.
 */
export function useEditing<T>({ key, get, put }: EditingOptions<T>): Editing<T> {
  const { name } = useContext(Who)
  const place = `gatehouse-site-${name}-${key}`
  const [base, setBase] = useState<At<T> | null>(null)
  const [value, setValue] = useState<T | null>(null)
  const [theirs, setTheirs] = useState<At<T> | null>(null)
  const [kept, setKept] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const [saved, setSaved] = useState<number | null>(null)
  const changed = base !== null && value !== null && !same(value, base.value)

  const follow = (now: At<T>) => {
    setBase(now)
    setValue(() => now.value)
    setTheirs(null)
  }
  const load = async () => {
    const now = await get()
    const draft = draftAt<T>(place)
    if (!draft || same(draft.value, now.value)) return follow(now)
    setValue(() => draft.value)
    setKept(true)
    if (same(draft.base.value, now.value)) return setBase(now)
    setBase(draft.base)
    setTheirs(now)
  }
  const reload = async () => {
    setProblem('')
    await load().catch((error: Error) => setProblem(error.message))
  }
  useEffect(() => {
    reload()
    window.addEventListener(RULES_CHANGED, reload)
    return () => window.removeEventListener(RULES_CHANGED, reload)
  }, [place])
  useEffect(() => {
    if (base !== null && value !== null) keep(place, changed ? { base, value } : null)
  }, [value, base])

  const store = async (what: T, from: At<T>): Promise<At<T> | null> => {
    try {
      return await put(what, from.version)
    } catch (error) {
      if ((error as Refused).code !== 'rules_changed') throw error
      const now = await get()
      // Somebody changed something else: that is no reason to ask.
      if (same(now.value, from.value)) return store(what, now)
      setTheirs(now)
      return null
    }
  }
  const save = async () => {
    if (base === null || value === null || theirs) return false
    setBusy(true)
    setProblem('')
    setSaved(null)
    try {
      const now = await store(value, base)
      if (now) {
        follow(now)
        setKept(false)
        setSaved(now.version)
      }
      return now !== null
    } catch (error) {
      setProblem((error as Error).message)
      return false
    } finally {
      setBusy(false)
    }
  }
  return {
    ...{ value, base: base?.value ?? null, changed, kept: kept && changed, theirs, busy, problem, saved },
    ...{ save, reload },
    set: next => {
      setSaved(null)
      setValue(() => next)
    },
    take: next => {
      if (theirs) setBase(theirs)
      setTheirs(null)
      setValue(() => next)
    },
    discard: () => {
      setProblem('')
      if (theirs ?? base) follow((theirs ?? base) as At<T>)
    },
  }
}

interface Draft<T> {
  base: At<T>
  value: T
}

function draftAt<T>(place: string): Draft<T> | null {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? 'null') as Draft<T> | null
  } catch {
    return null
  }
}

function keep(place: string, draft: object | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, JSON.stringify(draft))
  } catch {
    // Then it is lost with the page.
  }
}
