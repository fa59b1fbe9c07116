import type { AdminSourceKinds, CreatedAdminSource } from 'mintick-client/admin'
import { useState } from 'preact/hooks'
import { admin } from '../../api/clients.ts'
import { useMutation, useQuery } from '../../api/query.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form } from '../../ui/form.tsx'
import { FormButtons } from '../../ui/form-buttons.tsx'
import { formatNumber } from '../../ui/format.ts'
import { nameOf } from '../../ui/names.ts'
import { Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { type Option, optionsIn, optionsOf } from './source-options.ts'

const BY_ADDRESS = 'address'
const PRESET = 'preset:'

/** Adds a feed by its address, a preset, or a source of any kind by its options. */
export function AddSource({ onClose }: { onClose: () => void }) {
  const kinds = useQuery({
    queryKey: ['source-kinds'],
    queryFn: ({ signal }) => admin.sourceKinds.get({}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Dialog title="Add a source" onClose={onClose}>
      <Loaded of={kinds}>{(data) => <AddForm of={data} onClose={onClose} />}</Loaded>
    </Dialog>
  )
}

function AddForm({ of: { kinds, presets }, onClose }: { of: AdminSourceKinds; onClose: () => void }) {
  const [what, setWhat] = useState(BY_ADDRESS)
  const [added, setAdded] = useState<CreatedAdminSource>()
  const options = optionsOf(kinds.find(({ kind }) => kind === what)?.options)
  const add = useMutation(
    (values: Record<string, string>) => {
      if (what === BY_ADDRESS) return admin.sources.create({ url: values.url })
      if (what.startsWith(PRESET)) return admin.sources.create({ preset: what.slice(PRESET.length) })
      return admin.sources.create({ kind: what, ...optionsIn(options, values) })
    },
    { changes: [['sources']], onSuccess: setAdded },
  )
  if (added !== undefined) return <Added of={added} onClose={onClose} />
  return (
    <Form onSubmit={({ what: _, ...values }) => add.run(values)}>
      <Field label="What to read">
        {(props) => (
          <select
            {...props}
            name="what"
            value={what}
            onChange={(event) => {
              setWhat(event.currentTarget.value)
              add.reset()
            }}
          >
            <option value={BY_ADDRESS}>A feed, by its address or that of its website</option>
            <optgroup label="Presets">
              {presets.map((preset) => (
                <option key={preset} value={PRESET + preset}>
                  All sources of the preset {preset}
                </option>
              ))}
            </optgroup>
            <optgroup label="By kind, with its options">
              {kinds.map(({ kind, brings }) => (
                <option key={kind} value={kind}>
                  {kind} ({brings.replace('-', ' ')})
                </option>
              ))}
            </optgroup>
          </select>
        )}
      </Field>
      {what === BY_ADDRESS && (
        <Field label="Address" hint="A page that links to its feed is enough.">
          {(props) => <input {...props} name="url" type="url" required placeholder="https://" />}
        </Field>
      )}
      {options.map((option) => (
        <OptionField key={`${what} ${option.name}`} of={option} />
      ))}
      <FormButtons action="Add" isPending={add.isPending} error={add.error} onClose={onClose} />
    </Form>
  )
}

function OptionField({ of: { name, about, type, values, isRequired, pattern } }: { of: Option }) {
  return (
    <Field label={nameOf(name)} hint={type === 'list' ? `${about}; separate several by commas` : about}>
      {(props) => {
        const common = { ...props, name, required: isRequired }
        if (type === 'number') return <input {...common} type="number" step="any" />
        if (type === 'day') return <input {...common} type="date" />
        if (values === undefined || type === 'list') return <input {...common} type="text" pattern={pattern} />
        return (
          <select {...common}>
            <option value="">–</option>
            {values.map((value) => (
              <option key={value}>{value}</option>
            ))}
          </select>
        )
      }}
    </Field>
  )
}

function Added({ of: { sources, found, warning }, onClose }: { of: CreatedAdminSource; onClose: () => void }) {
  return (
    <>
      <p>
        {sources.length === 1 ? 'One source was added' : `${formatNumber(sources.length)} sources were added`}. The
        service reads new sources at once.
      </p>
      {found !== null && (
        <p>
          Found {found.title === null ? 'a feed' : <strong>{found.title}</strong>} with {formatNumber(found.items)}{' '}
          items
          {found.newestAt !== null && (
            <>
              , the newest of <Time at={found.newestAt} />
            </>
          )}
          .
        </p>
      )}
      {found?.warning != null && <p class="notice warn">{found.warning}</p>}
      {warning !== null && <p class="notice warn">{warning}</p>}
      <div class="actions end">
        <button type="button" class="first" onClick={onClose}>
          Done
        </button>
      </div>
    </>
  )
}
