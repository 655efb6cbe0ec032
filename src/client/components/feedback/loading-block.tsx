import { Skeleton } from '@mantine/core'

interface LoadingBlockProps {
  /** In px, as high as what is loading. */
  height: number
  /** Says what is loading, for example `Loading the categories`. */
  label: string
}

/** Takes the place of a block that is loading, which assistive technology is told. */
export function LoadingBlock({ height, label }: LoadingBlockProps) {
  return (
    <output aria-label={label}>
      <Skeleton height={height} radius="md" />
    </output>
  )
}
