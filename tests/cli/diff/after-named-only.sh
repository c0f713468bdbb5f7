fgtool diff --after 'x*.pb'
