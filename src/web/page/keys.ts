/** Whether a key is meant for what somebody types into or chooses from, for the browser, or is held down. */
export function typing(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0] as Element | undefined
  const field = target?.closest?.('input, textarea, select, dialog, video, [contenteditable]')
  return Boolean(field) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.repeat
}
