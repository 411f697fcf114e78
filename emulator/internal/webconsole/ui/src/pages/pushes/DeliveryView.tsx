import type { Delivery } from '../../api/pushes'
import { momentText } from '../../history/moment'
import { Code } from '../../widgets/Copy'
import { Dialog } from '../../widgets/Dialog'

/** DeliveryView shows one message as it arrived at its phone. */
export function DeliveryView({ delivery: d, onClose }: { delivery: Delivery; onClose: () => void }) {
  return (
    <Dialog title={d.title || `Message ${d.number}`} place="side" onClose={onClose}>
      {d.body && <p className="break">{d.body}</p>}
      <dl className="properties">
        <dt>Time</dt><dd><time dateTime={d.at}>{momentText(d.at)}</time></dd>
        <dt>Phone</dt><dd><bdi className="break">{d.phone}</bdi></dd>
        <dt>Service</dt><dd>{d.service}</dd>
        <dt>Token</dt><dd><code className="break">{d.token}</code></dd>
        <dt>Message id</dt><dd><code className="break">{d.id}</code></dd>
      </dl>
      {d.data !== undefined && <><h3>Data</h3><Code label="Data" text={JSON.stringify(d.data, null, 2)} /></>}
    </Dialog>
  )
}
