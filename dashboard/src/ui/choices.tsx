interface ChoicesProps<T extends string> {
  label: string
  values: readonly T[]
  chosen: string
  onChoose: (value: T) => void
}

/** A row of buttons of which one is chosen. */
export function Choices<T extends string>({ label, values, chosen, onChoose }: ChoicesProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
    <div class="choices" role="group" aria-label={label}>
      {values.map((value) => (
        <button key={value} type="button" class="small" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {value}
        </button>
      ))}
    </div>
  )
}
