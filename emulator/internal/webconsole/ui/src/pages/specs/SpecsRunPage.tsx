import { specsRun } from '../../api/specs'
import { isActive } from '../../api/useCurrentRun'
import { useResource } from '../../api/useResource'
import { Link, navigate, to } from '../../app/router'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { CurrentSpecs } from './CurrentSpecs'
import { runTime } from './Outcome'
import { useSpecsRun } from './useSpecsRun'

/** SpecsRunPage is a run of scenarios that a console has started: the latest one, or a saved one. */
export default function SpecsRunPage({ id }: { id: string }) {
  const { run } = useSpecsRun()
  const { data, error } = useResource(`specs run ${id}`, () => specsRun(id), () => false)
  const shown = run?.id === id ? run : data
  return (
    <>
      <div className="page-head">
        <div><div className="crumbs"><Link href="/specs">Specs</Link> /</div><h1>Run of {runTime(id)} UTC</h1></div>
      </div>
      <ErrorMessage error={error} />
      {!shown && !error && <Loading what="the run" />}
      {shown && <CurrentSpecs run={shown} busy={isActive(run)} onChange={(next) => navigate(to('specs', 'runs', next.id))} />}
    </>
  )
}
