import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, redo, redoDepth, undo, undoDepth } from '@codemirror/commands'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { linter, setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { Compartment, EditorState, Prec, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers, placeholder as placeholderText } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef, type RefObject } from 'react'
import type { Marks } from '../values/marks'

interface Props {
  label: string
  value: string
  onChange?: (text: string) => void
  /** Called with Ctrl-Enter or Cmd-Enter. */
  onRun?: () => void
  language: Extension
  check?: (text: string) => Diagnostic[]
  /** The mistakes that a service found in the text; a new one moves the caret to the first of them. */
  marks?: Marks | undefined
  placeholder?: string
  size?: 'short' | 'tall'
  lines?: boolean
  /** Is given the commands of the editor's history, for buttons elsewhere. */
  commands?: RefObject<HistoryCommands | null>
}

/** HistoryCommands undo and redo changes of an editor's text, also those that it was given from outside. */
export interface HistoryCommands { undo: () => void; redo: () => void; canUndo: () => boolean; canRedo: () => boolean }

const colours = HighlightStyle.define([
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--syntax-string)' },
  { tag: tags.number, color: 'var(--syntax-number)' },
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--syntax-keyword)' },
  { tag: [tags.bool, tags.null, tags.typeName, tags.standard(tags.name)], color: 'var(--syntax-name)' },
  { tag: tags.propertyName, color: 'var(--syntax-name)' },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: 'var(--syntax-comment)' },
])

const look = EditorView.theme({
  '&': { backgroundColor: 'transparent', color: 'var(--text)' },
  '.cm-content': { caretColor: 'var(--text)', padding: '6px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--muted)', border: 'none' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection': { backgroundColor: 'var(--selected) !important' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', border: '1px solid var(--line-strong)', borderRadius: '6px', color: 'var(--text)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--selected)', color: 'var(--text)' },
  '.cm-diagnostic': { fontFamily: 'var(--sans)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--selected)' },
})

/** CodeEditor is a text editor with syntax colours, completion and checks while typing. Tab leaves it. */
export function CodeEditor({ label, value, onChange, onRun, language, check, marks, placeholder, size, lines, commands }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const languageSlot = useRef(new Compartment())
  const latest = useRef({ onChange, onRun, check, marks })
  latest.current = { onChange, onRun, check, marks }

  useEffect(() => {
    const run = () => {
      latest.current.onRun?.()
      return latest.current.onRun !== undefined
    }
    const editor = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: value,
        extensions: [
          Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
          ...(lines ? [lineNumbers()] : []),
          history(), indentOnInput(), bracketMatching(), closeBrackets(), autocompletion({ icons: false }),
          keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          syntaxHighlighting(colours), look, EditorView.lineWrapping,
          // A browser reaches what is edited with the Tab key in any case; axe wants to be told.
          EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label, spellcheck: 'false' }),
          ...(placeholder ? [placeholderText(placeholder)] : []),
          linter((v) => diagnostics(v, latest.current), { delay: 250 }),
          EditorView.updateListener.of((u) => u.docChanged && latest.current.onChange?.(u.state.doc.toString())),
          EditorState.readOnly.of(!onChange),
          languageSlot.current.of(language),
        ],
      }),
    })
    view.current = editor
    if (commands) {
      commands.current = {
        undo: () => undo(editor), redo: () => redo(editor), canUndo: () => undoDepth(editor.state) > 0, canRedo: () => redoDepth(editor.state) > 0,
      }
    }
    return () => editor.destroy()
    // The view is made once; later changes of value and language arrive below.
  }, [])

  useEffect(() => {
    const editor = view.current
    const text = editor?.state.doc.toString()
    if (editor && text !== undefined && value !== text) editor.dispatch({ changes: changeOf(text, value) })
  }, [value])
  useEffect(() => {
    view.current?.dispatch({ effects: languageSlot.current.reconfigure(language) })
  }, [language])

  const shown = useRef(marks)
  useEffect(() => {
    const editor = view.current
    if (!editor || marks === shown.current) return
    shown.current = marks
    editor.dispatch(setDiagnostics(editor.state, diagnostics(editor, latest.current)))
    const [first] = marks?.text === editor.state.doc.toString() ? marks.marks : []
    if (!first) return
    editor.dispatch({ selection: { anchor: first.from }, scrollIntoView: true })
    editor.focus()
  }, [marks])

  return <div className={`editor ${size ?? ''}`} ref={host} />
}

/** changeOf is the part of a text that another one has instead, so that the caret and the history keep their places. */
function changeOf(text: string, other: string) {
  const most = Math.min(text.length, other.length)
  let start = 0
  while (start < most && text[start] === other[start]) start++
  let end = 0
  while (end < most - start && text.at(-1 - end) === other.at(-1 - end)) end++
  return { from: start, to: text.length - end, insert: other.slice(start, other.length - end) }
}

/** diagnostics are the mistakes that the check finds in the text of an editor, and those that a service found in the same text. */
function diagnostics(editor: EditorView, { check, marks }: Pick<Props, 'check' | 'marks'>): Diagnostic[] {
  const text = editor.state.doc.toString()
  const found = marks?.text === text ? marks.marks.map((m): Diagnostic => ({ ...m, severity: 'error' })) : []
  return [...(check?.(text) ?? []), ...found]
}
