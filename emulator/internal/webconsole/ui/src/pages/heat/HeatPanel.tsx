import type { Heat } from '../../api/admin'
import { levels, mapOf, type HeatMap, type Measure, type Row } from '../../values/heat'
import { percent } from '../../values/percent'
import { compact } from '../../values/plot'
import { cut } from '../../values/attribute'

/** HeatPanel is the map of one table, index or container: a row for each partition, and the hottest keys. */
export function HeatPanel({ heat, now, minutes, measure }: { heat: Heat; now: number; minutes: number; measure: Measure }) {
  const map = mapOf(heat, now, minutes, measure)
  const cosmos = heat.cloud === 'cosmos'
  const [table, index] = heat.resource.split('/')
  return (
    <section className="panel heat" aria-label={`Heat of ${heat.resource}`}>
      <div className="panel-head">
        <h2 className="break"><bdi>{cosmos ? heat.resource : table}</bdi>{!cosmos && index !== undefined && <> <span className="muted">index</span> <bdi>{index}</bdi></>}</h2>
        <span className="muted small">{[heat.account, cosmos ? 'Cosmos DB' : 'DynamoDB'].filter(Boolean).join(' · ')}</span>
      </div>
      <Partitions map={map} cosmos={cosmos} minutes={minutes} name={heat.resource} />
      {map.keys.length > 0 && <Keys map={map} />}
    </section>
  )
}

function Partitions({ map, cosmos, minutes, name }: { map: HeatMap; cosmos: boolean; minutes: number; name: string }) {
  return (
    <>
      <div className="table-wrap" tabIndex={0} role="region" aria-label={`Partitions of ${name}`}>
        <table className="table cards">
          <thead><tr>
            <th scope="col">Partition</th><th scope="col" className="strip">Last {minutes} minutes</th>
            {cosmos ? <th scope="col" className="number">RU</th> : <><th scope="col" className="number">Read units</th><th scope="col" className="number">Write units</th></>}
            <th scope="col" className="number">Throttled</th><th scope="col" className="number">Share</th>
          </tr></thead>
          <tbody>{map.rows.map((r) => (
            <tr key={r.id}>
              <td className="nowrap" data-label="Partition">{r.id} <code className="muted">{r.from}</code></td>
              <td className="strip whole"><Strip row={r} most={map.most} minutes={minutes} /></td>
              {cosmos ? <td className="number" data-label="RU">{compact(r.units)}</td> : (
                <><td className="number" data-label="Read units">{compact(r.reads)}</td><td className="number" data-label="Write units">{compact(r.writes)}</td></>
              )}
              <td className="number" data-label="Throttled">{r.throttled > 0 ? <span className="badge bad">{r.throttled.toLocaleString('en-US')}</span> : 0}</td>
              <td className="number share" data-label="Share"><span className="bar" style={{ width: `${r.share * 48}px` }} aria-hidden="true" />{percent(r.share)}</td>
            </tr>
          ))}</tbody>
        </table>
      </div>
      <p className="status-line">
        {map.omitted > 0 && <span>{map.omitted} partitions with less load are not shown</span>}
        <span>{map.most > 0 ? `The busiest minute used ${percent(map.most)} of a partition’s throughput` : `No load in the last ${minutes} minutes`}</span>
        {map.rows.some((r) => r.throttled) && <span>A red line marks throttled requests</span>}
      </p>
    </>
  )
}

function Strip({ row, most, minutes }: { row: Row; most: number; minutes: number }) {
  const { shades, throttled } = levels(row, most)
  return (
    <svg viewBox={`0 0 ${minutes} 1`} preserveAspectRatio="none" aria-hidden="true">
      {shades.map((d, i) => d && <path key={i} className={`shade-${i}`} d={d} />)}
      {throttled && <path className="throttled" d={throttled} />}
    </svg>
  )
}

function Keys({ map }: { map: HeatMap }) {
  return (
    <div className="panel-body stack tight">
      <h3>Hottest keys</h3>
      <div className="table-wrap" tabIndex={0} role="region" aria-label="Hottest keys">
        <table className="table cards">
          <thead><tr>
            <th scope="col">Partition key</th><th scope="col" className="number">Read units</th><th scope="col" className="number">Write units</th>
            <th scope="col" className="number">Throttled</th>
          </tr></thead>
          <tbody>{map.keys.map((k) => (
            <tr key={k.key}>
              <td className="mono break"><bdi>{cut(k.key, 80)}</bdi></td><td className="number" data-label="Read units">{compact(k.read)}</td>
              <td className="number" data-label="Write units">{compact(k.write)}</td><td className="number" data-label="Throttled">{k.throttled.toLocaleString('en-US')}</td>
            </tr>
          ))}</tbody>
        </table>
      </div>
      <p className="muted small">The counts are lower bounds: if many keys are about as hot, each one’s count is too low.</p>
    </div>
  )
}
