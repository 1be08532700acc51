; Adds the app to "Open with" of the documents that it reads, and takes no file type away from another program.
!macro openWithTypes VISIT
  !insertmacro ${VISIT} "pdf"
  !insertmacro ${VISIT} "docx"
  !insertmacro ${VISIT} "pptx"
  !insertmacro ${VISIT} "odt"
  !insertmacro ${VISIT} "epub"
  !insertmacro ${VISIT} "html"
  !insertmacro ${VISIT} "htm"
  !insertmacro ${VISIT} "md"
  !insertmacro ${VISIT} "txt"
  !insertmacro ${VISIT} "csv"
!macroend

!macro supportType EXTENSION
  WriteRegStr SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}\SupportedTypes" ".${EXTENSION}" ""
!macroend

!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}" "FriendlyAppName" "${PRODUCT_NAME}"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
  !insertmacro openWithTypes supportType
!macroend

!macro customUnInstall
  DeleteRegKey SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}"
!macroend
