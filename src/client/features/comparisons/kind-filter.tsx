import type { ChangeKind } from '../../../shared/constants'
import { formatCount } from '../../../shared/format'
import type { ChangeSection } from '../../../shared/schemas/comparison'
import { ChoiceChips } from '../../components/table/choice-chips'
import { CHANGE_WORDS } from './change-words'

interface KindFilterProps {
  sections: ChangeSection[]
  kind: ChangeKind | undefined
  onChoose: (kind: ChangeKind | undefined) => void
}

/** Chooses one kind of change, each with its count. */
export function KindFilter({ sections, kind, onChoose }: KindFilterProps) {
  const found = sections.filter((section) => section.count > 0 || section.kind === kind)
  return (
    <ChoiceChips
      label="Kind of change"
      choices={[
        { value: undefined, label: 'All' },
        ...found.map(({ kind: value, count }) => ({
          value,
          label: CHANGE_WORDS[value].word,
          count: formatCount(count),
        })),
      ]}
      chosen={kind}
      onChoose={onChoose}
    />
  )
}
