import { account } from '../../api/cosmos'
import { concernsCloud, useResource } from '../../api/useResource'
import { Missing } from '../../app/NotFound'
import { to } from '../../app/router'

/** MissingContainer is the page of a container that does not exist, in a database that may not exist either. */
export function MissingContainer({ database, name }: { database: string; name: string }) {
  const { data } = useResource('account', account, concernsCloud('cosmos'))
  if (!data) return null
  if (!data.some((d) => d.database.id === database)) return <MissingDatabase name={database} />
  return (
    <Missing title={<>Container <bdi>{name}</bdi> does not exist</>} href={to('cosmos', database)} link="Show its containers">
      Database <bdi>{database}</bdi> has no container with this name. It was deleted, or the link is wrong.
    </Missing>
  )
}

/** MissingDatabase is the page of a database that does not exist. */
export function MissingDatabase({ name }: { name: string }) {
  return (
    <Missing title={<>Database <bdi>{name}</bdi> does not exist</>} href="/cosmos" link="Show all databases">
      It was deleted, or the link is wrong.
    </Missing>
  )
}
