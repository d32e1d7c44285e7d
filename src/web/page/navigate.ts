import { useEffect, useState } from 'preact/hooks'

type Ask = (leave: () => void) => void

/** Who is asked before the view changes, since something in it is not saved; `leave` goes on. */
const asked = new Set<Ask>()
/** Where the view that is shown lies. */
let here = location.pathname

/** Asks before another view opens, until the returned function is called. */
export function askFirst(ask: Ask): () => void {
  asked.add(ask)
  const warn = (event: BeforeUnloadEvent) => event.preventDefault()
  window.addEventListener('beforeunload', warn)
  return () => {
    asked.delete(ask)
    window.removeEventListener('beforeunload', warn)
  }
}

/** Opens another view without loading the page anew. */
export function go(path: string): void {
  const [ask] = asked
  if (ask) ask(() => open(path))
  else open(path)
}

function open(path: string): void {
  asked.clear()
  history.pushState(null, '', path)
  window.dispatchEvent(new PopStateEvent('popstate'))
  window.scrollTo(0, 0)
}

/** The path that the address bar shows; links to other views are followed without a new page. */
export function usePath(): string {
  const [path, setPath] = useState(location.pathname)
  useEffect(() => {
    const follow = () => {
      const there = location.pathname
      const [ask] = asked
      if (ask && there !== here) {
        // The browser went back already: the address is again that of what is shown.
        history.pushState(null, '', here)
        ask(() => open(there))
        return
      }
      here = there
      setPath(there)
    }
    const click = (event: MouseEvent) => {
      const link = (event.target as Element).closest?.('a')
      const href = link?.getAttribute('href')
      const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
      if (!href?.startsWith('/') || href.startsWith('/api/') || !plain || event.defaultPrevented) return
      event.preventDefault()
      if (href !== location.pathname + location.search) go(href)
    }
    window.addEventListener('popstate', follow)
    document.addEventListener('click', click)
    return () => {
      window.removeEventListener('popstate', follow)
      document.removeEventListener('click', click)
    }
  }, [])
  return path
}
