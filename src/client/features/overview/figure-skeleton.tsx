import { Skeleton } from '@mantine/core'

/** Stands for the figure of a card while it loads. */
export function FigureSkeleton() {
  return <Skeleton height={24} width={96} my={5} />
}
