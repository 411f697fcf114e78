import { actionKinds, newAction, withKind, type Action, type ActionKind } from '../../forms/update'
import { Button } from '../../widgets/Button'
import { Select, TextField } from '../../widgets/Field'
import { OperandField } from '../../widgets/OperandField'

const options = Object.entries(actionKinds).map(([value, { label }]) => ({ value: value as ActionKind, label }))

/** Actions are the rows of an update: what to do with which attribute. */
export function Actions({ actions, onChange }: { actions: Action[]; onChange: (actions: Action[]) => void }) {
  const replace = (next: Action) => onChange(actions.map((a) => (a.id === next.id ? next : a)))
  return (
    <>
      {actions.map((a, i) => {
        const of = `of action ${i + 1}`
        return (
          <fieldset key={a.id} className="builder-row">
            <legend className="visually-hidden">Action {i + 1}</legend>
            <Select className="operator" label="Action" aria-label={`Action ${i + 1}`} value={a.kind} options={options} onChange={(kind) => replace(withKind(a, kind))} />
            <TextField className="path" label="Attribute" aria-label={`Attribute ${of}`} list="attribute-names" placeholder="address.city" value={a.path} mono
              onChange={(path) => replace({ ...a, path })} />
            {actionKinds[a.kind].types.length > 0 && (
              <OperandField operand={a.value} types={actionKinds[a.kind].types} of={of} onChange={(change) => replace({ ...a, value: { ...a.value, ...change } })} />
            )}
            <Button kind="quiet" icon="close" aria-label={`Remove action ${i + 1}`} onPress={() => onChange(actions.filter((o) => o.id !== a.id))} />
          </fieldset>
        )
      })}
      <div><Button icon="plus" onPress={() => onChange([...actions, newAction(actions)])}>Action</Button></div>
    </>
  )
}
