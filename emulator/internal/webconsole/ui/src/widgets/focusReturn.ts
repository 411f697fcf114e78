import { useEffect, useState } from 'react'

/** How many dialogs are open, and what had the focus before the first of them. */
let open = 0
let opener: Element | null = null

/**
 * useFocusReturn gives the focus back when the last of several dialogs closes, each of which has replaced the one before:
 * react-aria then gives it back to a button of the previous dialog, which is gone. If the opener is gone too, as the row of
 * a deleted item, the focus goes to the page, and the next Tab to what is first there.
 */
export function useFocusReturn() {
  const [before] = useState(() => document.activeElement)
  useEffect(() => {
    open++
    if (before?.isConnected && before !== document.body && !before.closest('.dialog')) opener = before
    return () => {
      open--
      afterReactAria(giveBack)
    }
  }, [before])
}

/** afterReactAria calls a function after the animation frame in which react-aria moves the focus itself. */
function afterReactAria(call: () => void) {
  requestAnimationFrame(() => requestAnimationFrame(call))
}

function giveBack() {
  if (open > 0) return
  const to = opener?.isConnected ? opener : document.getElementById('main')
  opener = null
  if (document.activeElement === document.body) (to as HTMLElement | null)?.focus({ preventScroll: true })
}
