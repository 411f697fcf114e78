import type { Profile } from '../../api/load'
import { Button } from '../../widgets/Button'
import { duration, number } from './texts'

/** ProfileList lists the load profiles with the documented figures that they test. */
export function ProfileList({ profiles, onChoose }: { profiles: Profile[]; onChoose: (id: string) => void }) {
  return (
    <section className="panel" aria-labelledby="load-profiles">
      <div className="panel-head"><h2 id="load-profiles">Profiles</h2></div>
      <div className="table-wrap" tabIndex={0} role="region" aria-label="Profiles">
        <table className="table cards">
          <thead><tr>
            <th scope="col">Profile</th><th scope="col">System</th><th scope="col" className="number">Peak, requests/s</th>
            <th scope="col" className="number">Duration</th><th scope="col" className="number">Requests</th><th scope="col" className="wide">Documented figure</th>
            <th scope="col"><span className="visually-hidden">Actions</span></th>
          </tr></thead>
          <tbody>
            {profiles.map((p) => (
              <tr key={p.id}>
                <td className="nowrap"><strong>{p.id}</strong></td>
                <td data-label="System">{p.system}</td>
                <td className="number" data-label="Peak, requests/s">{number(p.peakRate, 1)}</td>
                <td className="number" data-label="Duration">{duration(p.seconds)}</td>
                <td className="number" data-label="Requests">{number(p.requests)}</td>
                <td className="break whole">{p.figure}</td>
                <td className="actions"><Button small aria-label={`Choose ${p.id}`} onPress={() => onChoose(p.id)}>Choose</Button></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
