import { Button, Group } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'

import { PanelButton } from '../layout/panel-button'

interface PageStepsProps {
  /** Which rows are shown. */
  status: string
  isReading: boolean
  next: (() => void) | undefined
  previous: (() => void) | undefined
}

/** Steps to the next and the previous rows of a list whose last page is not known. */
export function PageSteps({ status, isReading, next, previous }: PageStepsProps) {
  return (
    <Group justify="space-between" gap="xs">
      <output data-figures>{status}</output>
      <Group gap="xs" wrap="nowrap">
        <PanelButton icon={IconChevronLeft} disabled={!previous} onClick={previous}>
          Previous
        </PanelButton>
        <Button
          size="xs"
          variant="default"
          rightSection={<IconChevronRight size={14} aria-hidden="true" />}
          disabled={!next || isReading}
          onClick={next}
        >
          Next
        </Button>
      </Group>
    </Group>
  )
}
