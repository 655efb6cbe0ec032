import { Dropzone } from '@mantine/dropzone'
import { IconFileUpload } from '@tabler/icons-react'

import { formatFileSize } from '../../../shared/format'
import { READABLE_FILES } from './sending-help'

import '@mantine/dropzone/styles.css'
import classes from './file-drop.module.css'

interface FileDropProps {
  /** The accessible name. */
  label: string
  /** The file that has been chosen; it can be replaced. */
  file?: File | null
  isDisabled?: boolean
  onFile: (file: File) => void
}

/** Where a file is dropped, or chosen by a click or a key. */
export function FileDrop({ label, file, isDisabled = false, onFile }: FileDropProps) {
  return (
    <Dropzone
      className={classes.drop}
      data-filled={file ? true : undefined}
      multiple={false}
      disabled={isDisabled}
      aria-label={label}
      inputProps={{ 'aria-label': label }}
      onDrop={([dropped]) => dropped && onFile(dropped)}
    >
      <div className={classes.content}>
        <IconFileUpload size={24} stroke={1.6} aria-hidden="true" />
        <div className={classes.texts}>
          {file ? (
            <>
              <bdi className={classes.title}>{file.name}</bdi>
              <span>{formatFileSize(file.size, 1)} · drop or choose another to replace it</span>
            </>
          ) : (
            <>
              <span className={classes.title}>Drop your file here, or choose it</span>
              <span>{READABLE_FILES}</span>
            </>
          )}
        </div>
      </div>
    </Dropzone>
  )
}
