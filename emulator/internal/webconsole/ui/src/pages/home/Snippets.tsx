import { useState } from 'react'
import { useEmulator } from '../../app/session'
import { Code } from '../../widgets/Copy'
import { Segments } from '../../widgets/Field'
import { Tabs } from '../../widgets/Tabs'
import { cosmosSnippets, dynamoSnippets } from './snippetTexts'

/** Snippets are programs that connect and list what is there; they work when pasted. */
export function Snippets() {
  const { overview, region } = useEmulator()
  const [cloud, setCloud] = useState<'dynamodb' | 'cosmos'>('dynamodb')
  const [language, setLanguage] = useState('')
  const { dynamodb, cosmos } = overview
  const snippets = cloud === 'cosmos' && cosmos ? cosmosSnippets(cosmos.endpoint, cosmos.key) : dynamoSnippets({ ...dynamodb, region })
  const names = Object.keys(snippets)
  const chosen = names.includes(language) ? language : names[0]!
  return (
    <section className="panel" aria-labelledby="snippets">
      <div className="panel-head"><h2 id="snippets">Use it from your program</h2>
        {cosmos && <Segments label="Service" value={cloud} onChange={setCloud} options={[
          { value: 'dynamodb', label: 'DynamoDB' }, { value: 'cosmos', label: 'Cosmos DB' },
        ]} />}
      </div>
      <Tabs label="Language" tabs={names} selected={chosen} onSelect={setLanguage}>
        <div className="panel-body"><Code text={snippets[chosen]!} label={`${chosen} program`} /></div>
      </Tabs>
    </section>
  )
}
