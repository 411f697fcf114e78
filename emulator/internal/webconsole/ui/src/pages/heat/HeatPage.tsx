import { useState } from 'react'
import { TextField } from '../../widgets/Field'
import { HeatMaps } from './HeatMaps'

/** HeatPage has the heat maps of all tables, indexes and containers. */
export default function HeatPage() {
  const [find, setFind] = useState('')
  return (
    <>
      <div className="page-head"><h1>Heat by partition</h1></div>
      <HeatMaps of={(h) => h.resource.toLowerCase().includes(find.toLowerCase())}>
        <TextField label="Name" hideLabel type="search" placeholder="Table or container" value={find} onChange={setFind} />
      </HeatMaps>
    </>
  )
}
