import type { Report } from '../../api/imports'
import { Link, to } from '../../app/router'
import { count } from './FilePreview'
import { InvalidLines } from './InvalidLines'

/** ImportReport says what an import did. */
export function ImportReport({ report, isContainer, onOpen }: { report: Report; isContainer: boolean; onOpen: () => void }) {
  const parts = [
    `${count(report.written, 'item')} written`,
    ...(report.deleted > 0 ? [`${count(report.deleted, 'item')} deleted`] : []),
    ...(report.invalid > 0 ? [`${count(report.invalid, 'invalid line')}`] : []),
    isContainer ? `${report.requestUnits.toLocaleString('en-US')} RU` : `${report.capacityUnits.toLocaleString('en-US')} write units`,
    `${report.seconds.toFixed(1)} s`,
  ]
  return (
    <>
      <div className={`message ${report.error ? 'error' : ''}`} role={report.error ? 'alert' : 'status'}>
        {report.error && <div>The import stopped at {report.error}</div>}
        {parts.join(', ')}
      </div>
      {!isContainer && (
        <ul aria-label="Imported tables">
          {report.tables.map((name) => (
            <li key={name}><Link href={to('dynamodb', 'tables', name)} className="break" onClick={onOpen}><bdi>{name}</bdi></Link>{report.created.includes(name) && ' is new'}</li>
          ))}
        </ul>
      )}
      <InvalidLines title="Invalid lines" lines={report.invalidLines} />
    </>
  )
}
