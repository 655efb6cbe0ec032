import { Button, type ButtonProps } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ComponentProps } from 'react'

interface PanelButtonProps
  extends
    Omit<ButtonProps, 'size' | 'variant'>,
    Pick<ComponentProps<'button'>, 'aria-expanded' | 'aria-label' | 'onClick'> {
  icon: Icon
}

/** A small button with an icon, in the title line or the footer of a panel. */
export function PanelButton({ icon: Glyph, ...props }: PanelButtonProps) {
  const icon = <Glyph size={14} aria-hidden="true" />
  return <Button {...props} variant="default" size="xs" leftSection={icon} />
}
