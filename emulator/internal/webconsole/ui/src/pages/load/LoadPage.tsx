import { useEffect, useState } from 'react'
import { profiles, runs } from '../../api/load'
import { useResource } from '../../api/useResource'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { CurrentRun } from './CurrentRun'
import { ProfileList } from './ProfileList'
import { Runs } from './Runs'
import { StartForm } from './StartForm'
import { isActive } from '../../api/useCurrentRun'
import { useRun } from './useRun'

/** LoadPage starts a load test, follows it, and lists the profiles and the reports of earlier runs. */
export default function LoadPage() {
  const choices = useResource('load profiles', profiles, () => false)
  const earlier = useResource('load runs', runs, () => false)
  const { run, series, error, show } = useRun()
  const [chosen, setChosen] = useState('')
  const { reload } = earlier
  useEffect(() => { if (run?.report) reload() }, [run?.report, reload])
  const all = choices.data?.profiles ?? []
  const profile = all.find((p) => p.id === chosen) ?? all.find((p) => p.id === run?.profile) ?? all[0]
  const choose = (id: string) => {
    setChosen(id)
    document.getElementById('load-start')?.scrollIntoView({ block: 'center' })
  }
  return (
    <>
      <div className="page-head"><h1>Load tests</h1></div>
      <ErrorMessage error={choices.error ?? error ?? earlier.error} />
      {!choices.data && !choices.error && <Loading what="the profiles" />}
      {choices.data && profile && (
        <StartForm profiles={all} targets={choices.data.targets} profile={profile} onProfile={setChosen} busy={isActive(run)} onStart={show} />
      )}
      {run && <CurrentRun run={run} series={series} onChange={show} />}
      {earlier.data && <Runs runs={earlier.data} />}
      {choices.data && <ProfileList profiles={all} onChoose={choose} />}
    </>
  )
}
