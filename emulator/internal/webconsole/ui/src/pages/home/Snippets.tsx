import { useState } from 'react'
import { useEmulator } from '../../app/session'
import { Code } from '../../widgets/Copy'
import { Tabs } from '../../widgets/Tabs'
import { cosmosSnippets, dynamoSnippets } from './snippetTexts'

/** Snippets are programs that connect and list what is there; they work when pasted. */
export function Snippets() {
  const { overview, region } = useEmulator()
  const [chosen, choose] = useState('AWS CLI')
  const snippets = {
    ...dynamoSnippets({ ...overview.dynamodb, region }),
    ...(overview.cosmos && cosmosSnippets(overview.cosmos.endpoint, overview.cosmos.key)),
  }
  const names = Object.keys(snippets)
  return (
    <section className="panel" aria-labelledby="snippets">
      <div className="panel-head"><h2 id="snippets">Use it from your program</h2></div>
      <Tabs label="Language" tabs={names} selected={chosen} onSelect={choose}>
        <div className="panel-body"><Code text={snippets[chosen]!} label={`${chosen} program`} /></div>
      </Tabs>
    </section>
  )
}
