// What the browser tests need on a page: each function returns null until it can succeed.
window.tabletop = (() => {
  const squeeze = (text) => text.replace(/\s+/g, ' ').trim()
  const visible = (e) => e.getClientRects().length > 0 && getComputedStyle(e).visibility !== 'hidden'
  // scopes are where to look, in order: the dialog or menu on top, or the page and then what is around it.
  const scopes = () => {
    const top = [...document.querySelectorAll('[role=menu], [role=dialog], [role=alertdialog]')].at(-1)
    return top ? [top] : [...document.querySelectorAll('main'), document]
  }
  const nameOf = (e) => squeeze(e.getAttribute('aria-label') ?? labelOf(e) ?? e.textContent)
  const labelOf = (e) => (e.labels?.length ? e.labels[0].textContent : null)

  function byName(selector, name, roots = scopes()) {
    const all = roots.flatMap((root) => [...root.querySelectorAll(selector)]).filter((e) => nameOf(e) === name)
    return all.find(visible) ?? all[0]
  }

  function place(name) {
    const selector = 'button, a, summary, [role=tab], [role=menuitem], input[type=checkbox], input[type=radio]'
    const element = byName('.toast:last-child button', name, [document]) ?? byName(selector, name)
    if (!element || element.disabled || element.ariaDisabled === 'true') return null
    element.scrollIntoView({ block: 'center', inline: 'center' })
    const box = element.getBoundingClientRect()
    if (box.width === 0) return null
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const hit = document.elementFromPoint(x, y)
    if (!hit || !(element.contains(hit) || hit.contains(element))) return null
    const settled = last.element === element && last.x === x && last.y === y
    last = { element, x, y }
    return settled ? [x, y] : null
  }

  // last is where place found an element the time before: a page that still moves is not clicked.
  let last = {}

  function focus(label, text) {
    const element = byName('input:not([type=radio], [type=checkbox]), textarea, select, .cm-content', label)
    if (!element || element.disabled) return null
    element.scrollIntoView({ block: 'center' })
    element.focus()
    if (element.tagName !== 'SELECT') {
      if (!element.select) return 'editor'
      element.select()
      return 'text'
    }
    const option = [...element.options].find((o) => o.textContent === text || o.value === text)
    if (!option) return null
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(element, option.value)
    element.dispatchEvent(new Event('change', { bubbles: true }))
    return 'list'
  }

  // focused tells about the element that has the focus: its name, whether that is another element than the time before, and
  // why a person might not see where the focus is. CodeMirror marks an editor a moment after it has got the focus.
  let focusedBefore = null
  function focused() {
    const element = document.activeElement
    if (element.closest('.cm-editor:not(.cm-focused)')) return null
    const moved = element !== focusedBefore
    focusedBefore = element
    if (element === document.body) return { name: '', moved, problem: '' }
    return { name: nameOf(element), moved, problem: unseen(element) }
  }

  const hasFocus = (name) => nameOf(document.activeElement) === name || null

  const focusIsOnPage = () => document.activeElement.id === 'main' || null

  // unseen is why the focus of an element is not seen: it has no outline, or is outside of the window or behind the header.
  function unseen(element) {
    const box = (element.closest('label, .cm-editor') ?? element).getBoundingClientRect()
    const outlined = [element, element.closest('label'), element.closest('.editor')?.querySelector('.cm-editor')].some((e) => {
      const style = e && getComputedStyle(e)
      return style && style.opacity !== '0' && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2
    })
    if (!outlined) return `the focus on ${nameOf(element)} has no outline`
    const [x1, x2] = [Math.max(box.left, 0) + 2, Math.min(box.right, innerWidth) - 2]
    const [y1, y2] = [Math.max(box.top, 0) + 2, Math.min(box.bottom, innerHeight) - 2]
    const points = [[(x1 + x2) / 2, (y1 + y2) / 2], [x1, y1], [x2, y2], [x1, y2], [x2, y1]]
    const hits = points.map(([x, y]) => document.elementFromPoint(x, y)).filter((hit) => hit && !hit.closest('.toasts'))
    const seen = hits.some((hit) => element.contains(hit) || hit.contains(element) || hit.closest('label')?.contains(element))
    return seen || hits.length === 0 ? '' : `${nameOf(element)} has the focus and is behind something else`
  }

  // names are the names of the elements of the page that match, in their order.
  const names = (selector) => [...document.querySelectorAll(`main ${selector}`)].map(nameOf)

  const text = () => squeeze(document.body?.innerText ?? '')
  const sees = (part) => text().includes(squeeze(part)) || null
  const misses = (part) => !text().includes(squeeze(part)) || null

  // plotted is true if the first line of the plot with a title has a value that is not zero.
  const plotted = (title) => [...document.querySelectorAll('figure.plot')].some((f) =>
    nameOf(f.querySelector('h3')).startsWith(title) &&
    /[ML][\d.]+ (?!100\b)/.test(f.querySelector('.plot-area .series-0')?.getAttribute('d') ?? '')) || null

  // marked is true if an editor that has the focus underlines a text as a mistake.
  const marked = (part) => [...document.querySelectorAll('.cm-focused .cm-lintRange-error')].some((e) => e.textContent === part) || null

  const labelled = (label) => [...document.querySelectorAll('[aria-label]')].some((e) => e.ariaLabel === label) || null

  // fits is true if all regions with a label are as wide as what is in them.
  const fits = (label) => {
    const regions = [...document.querySelectorAll('[role=region]')].filter((e) => e.ariaLabel === label)
    return (regions.length > 0 && regions.every((e) => e.scrollWidth <= e.clientWidth)) || null
  }

  // saved is the text of the last file that the page saved since saved was asked before.
  let lastSaved = null
  const create = URL.createObjectURL
  URL.createObjectURL = (file) => {
    file.text().then((content) => { lastSaved = content })
    return create(file)
  }
  const saved = () => {
    const found = lastSaved
    lastSaved = null
    return found
  }

  // fades is true if the tabs with a label have faded edges of these widths, on the left and on the right.
  const fades = (label, left, right) => {
    const tabs = [...document.querySelectorAll('.tabs')].find((e) => e.ariaLabel === label)
    const style = tabs && getComputedStyle(tabs)
    return (style?.getPropertyValue('--fade-left') === left && style.getPropertyValue('--fade-right') === right) || null
  }

  // until calls a function until it returns something other than null.
  async function until(find) {
    for (;;) {
      const found = find()
      if (found !== null) return found
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async function findings() {
    const { violations } = await axe.run(document, { resultTypes: ['violations'] })
    const found = violations.filter((v) => ['serious', 'critical'].includes(v.impact)).map((v) =>
      `${v.id}: ${v.help}\n${v.nodes.slice(0, 3).map((n) => `  ${n.html.slice(0, 200)}\n  ${n.failureSummary}`).join('\n')}`)
    const tooWide = document.documentElement.scrollWidth - innerWidth
    return tooWide > 0 ? [...found, `the page is ${tooWide} px wider than the window`] : found
  }

  return { until, place, focus, focused, hasFocus, focusIsOnPage, names, sees, misses, labelled, marked, plotted, fits, fades, saved, findings }
})()
