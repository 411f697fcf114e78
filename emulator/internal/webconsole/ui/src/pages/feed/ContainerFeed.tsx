import { useState } from 'react'
import type { Container } from '../../api/cosmos'
import { changeFeedOf } from '../../api/feeds'
import { FeedPanel, type From } from './FeedPanel'
import { useFeed } from './useFeed'

/** ContainerFeed shows the change feed of a container as it grows. */
export default function ContainerFeed({ database, container }: { database: string; container: Container }) {
  const [from, setFrom] = useState<From>('now')
  const policy = container.changeFeedPolicy as { retentionDuration?: number } | undefined
  const allVersions = Boolean(policy?.retentionDuration)
  const start = allVersions ? 'now' : from // all versions and deletions cannot be read from the beginning
  const keys = container.partitionKey.paths
  const feed = useFeed(`${container._rid} ${allVersions} ${start}`, () => changeFeedOf(database, container.id, keys, start === 'oldest', allVersions))
  return (
    <>
      <p className="muted small">
        {allVersions ? 'All versions and deletions, as the change feed policy of the container has them, from now on.'
          : 'The latest version of each item. Deletions and earlier versions are in the feed of containers with a change feed policy.'}
      </p>
      <FeedPanel title="Change feed" feed={feed} from={start} onFrom={setFrom} />
    </>
  )
}
