import { useEffect, useState } from 'preact/hooks'

/** Opens another view without loading the page anew. */
export function go(path: string): void {
  history.pushState(null, '', path)
  window.dispatchEvent(new PopStateEvent('popstate'))
  window.scrollTo(0, 0)
}

/** The path that the address bar shows; links to other views are followed without a new page. */
export function usePath(): string {
  const [path, setPath] = useState(location.pathname)
  useEffect(() => {
    const follow = () => setPath(location.pathname)
    const click = (event: MouseEvent) => {
      const link = (event.target as Element).closest?.('a')
      const href = link?.getAttribute('href')
      const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
      if (!href?.startsWith('/') || href.startsWith('/api/') || !plain || event.defaultPrevented) return
      event.preventDefault()
      go(href)
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
