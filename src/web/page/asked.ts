import { useEffect, useState } from 'preact/hooks'

/** Something that is asked of the box, asked again after each change; what the box says against it is shown. */
export function useAsked<T>(get: () => Promise<T>) {
  const [found, setFound] = useState<T | null>(null)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const look = () =>
    get().then(
      value => setFound(() => value),
      (error: Error) => setProblem(error.message),
    )
  useEffect(() => {
    look()
  }, [])
  /** Resolves with what came of it, or null where the box would not. */
  const doing = async <R>(work: Promise<R>): Promise<R | null> => {
    setBusy(true)
    setProblem('')
    try {
      const result = await work
      await look()
      return result
    } catch (error) {
      setProblem((error as Error).message)
      return null
    } finally {
      setBusy(false)
    }
  }
  return { found, problem, busy, doing }
}
