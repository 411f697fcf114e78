import { attribute, display, sameValue, type Item } from '../../values/attribute'
import { Button } from '../../widgets/Button'
import type { Conflict } from './writes'

/** ConflictMessage shows in which attributes the stored item differs from the edited one, and offers to overwrite it. */
export function ConflictMessage({ conflict, mine, onOverwrite }: { conflict: Conflict; mine: Item; onOverwrite: () => void }) {
  const theirs = conflict.current
  return (
    <div className="message warning stack tight" role="alert">
      <strong>{conflict.message}. Nothing was saved.</strong>
      {theirs && <Differences before={theirs} after={mine} />}
      <div><Button small kind="danger" onPress={onOverwrite}>Overwrite it</Button></div>
    </div>
  )
}

/** Differences lists the attributes that differ, as they are and as they will be. */
export function Differences({ before, after }: { before: Item; after: Item }) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => {
    const [x, y] = [attribute(before, name), attribute(after, name)]
    return !x || !y || !sameValue(x, y)
  })
  return (
    <dl className="change-list">
      {names.map((name) => <Difference key={name} name={name} before={before} after={after} />)}
    </dl>
  )
}

function Difference({ name, before, after }: { name: string; before: Item; after: Item }) {
  const [x, y] = [attribute(before, name), attribute(after, name)]
  return (
    <>
      <dt><bdi>{name}</bdi></dt>
      <dd className="break">
        {x && <del className="was"><bdi>{display(x, 120)}</bdi></del>} {y ? <ins className="will"><bdi>{display(y, 120)}</bdi></ins> : <span className="muted">removed</span>}
      </dd>
    </>
  )
}
