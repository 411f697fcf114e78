import { compareLines } from '../values/lines'

/** The most lines that are shown. */
const maxLines = 2000

/** Compare shows two texts side by side, and marks the lines that differ. */
export function Compare({ label, titles, left, right }: { label: string; titles: readonly [string, string]; left: string; right: string }) {
  const pairs = compareLines(left, right)
  const differing = pairs.filter((p) => !p.same).length
  return (
    <div className="stack tight">
      <p className="small" role="status">
        {differing === 0 ? <span className="badge ok">Identical</span> : <span className="badge warn">{differing === 1 ? '1 line differs' : `${differing.toLocaleString('en-US')} lines differ`}</span>}
        {pairs.length > maxLines && <> the first {maxLines.toLocaleString('en-US')} are shown</>}
      </p>
      <div className="table-wrap compare" tabIndex={0} role="region" aria-label={label}>
        <table>
          <thead><tr><th scope="col">{titles[0]}</th><th scope="col">{titles[1]}</th></tr></thead>
          <tbody>{pairs.slice(0, maxLines).map((p, i) => (
            <tr key={i}>
              <td className={p.same ? '' : p.left === undefined ? 'none' : 'removed'}>{!p.same && p.left !== undefined && <del>{p.left}</del>}{p.same && p.left}</td>
              <td className={p.same ? '' : p.right === undefined ? 'none' : 'added'}>{!p.same && p.right !== undefined && <ins>{p.right}</ins>}{p.same && p.right}</td>
            </tr>
          ))}</tbody>
        </table>
      </div>
    </div>
  )
}
