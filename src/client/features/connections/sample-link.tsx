import { Anchor } from '@mantine/core'

/** For a supplier that has no file at hand. */
export const SampleLink = ({ onClick }: { onClick: () => void }) => (
  <Anchor component="button" type="button" fz="sm" ta="start" onClick={onClick}>
    Nothing at hand? Try with a sample file.
  </Anchor>
)
