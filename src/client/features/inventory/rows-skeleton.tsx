import { Skeleton, Stack } from '@mantine/core'

const WIDTHS = ['96%', '88%', '93%', '84%', '91%', '87%', '95%', '82%']

/** Placeholder for the rows of a table. */
export function RowsSkeleton() {
  return (
    <Stack component="output" gap={20} p={20} aria-label="Loading the file">
      {WIDTHS.map((width) => (
        <Skeleton key={width} height={12} width={width} />
      ))}
    </Stack>
  )
}
