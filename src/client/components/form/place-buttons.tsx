import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'

interface PlaceButtonsProps {
  name: string
  isFirst: boolean
  isLast: boolean
  onMove: (by: 1 | -1) => void
  onLeaveOut: () => void
}

/** Moves one of a list up or down, or leaves it out. */
export function PlaceButtons({ name, isFirst, isLast, onMove, onLeaveOut }: PlaceButtonsProps) {
  const look = { variant: 'default', size: 'lg' } as const
  return (
    <ActionIcon.Group>
      <ActionIcon
        {...look}
        aria-label={`Move ${name} up`}
        disabled={isFirst}
        onClick={() => onMove(-1)}
      >
        <IconArrowUp size={16} />
      </ActionIcon>
      <ActionIcon
        {...look}
        aria-label={`Move ${name} down`}
        disabled={isLast}
        onClick={() => onMove(1)}
      >
        <IconArrowDown size={16} />
      </ActionIcon>
      <ActionIcon {...look} aria-label={`Leave out ${name}`} onClick={onLeaveOut}>
        <IconX size={16} />
      </ActionIcon>
    </ActionIcon.Group>
  )
}
