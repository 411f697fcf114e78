import type { Edit, ErrorAt } from '../../model/edit'
import type { ModelKey } from '../../model/model'
import { KeyFields } from '../tables/IndexFields'
import type { KeyType } from '../tables/tableForm'

/** ModelKeyFields edits a part of a key; a sort key without a name is none. */
export function ModelKeyFields({ label, part, of, edit, error, onBlur }: {
  label: string; part: keyof ModelKey; of: ModelKey; edit: Edit; error: ErrorAt; onBlur?: () => void
}) {
  const path = ['KeyAttributes', part]
  const is = of[part]
  const change = (name: string, type: KeyType) => {
    if (part === 'SortKey' && name === '') edit.remove(path)
    else if (!is) edit.put(path, { AttributeName: name, AttributeType: type })
    else if (name !== is.AttributeName) edit.put([...path, 'AttributeName'], name)
    else edit.put([...path, 'AttributeType'], type)
  }
  return <KeyFields label={label} value={{ name: is?.AttributeName ?? '', type: (is?.AttributeType ?? 'S') as KeyType }} disabledType={!is}
    error={[error(...path, 'AttributeName'), error(...path, 'AttributeType')].filter(Boolean).join('; ')}
    onChange={({ name, type }) => change(name, type)} {...(onBlur && { onBlur })} />
}
