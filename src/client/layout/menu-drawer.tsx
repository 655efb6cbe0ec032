import { Drawer } from '@mantine/core'

import { Sidebar } from './sidebar'

import classes from './menu-drawer.module.css'

/** The menu where there is no room for it beside the page. */
export function MenuDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Drawer.Root
      opened={isOpen}
      onClose={onClose}
      size={300}
      padding={0}
      classNames={{ content: classes.drawer, body: classes.body }}
    >
      <Drawer.Overlay backgroundOpacity={0.55} blur={10} />
      <Drawer.Content aria-label="Menu">
        <Drawer.CloseButton className={classes.close} size="lg" aria-label="Close the menu" />
        <Drawer.Body>
          <Sidebar onNavigate={onClose} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
