-- what: "Flickr8k's and Flickr30k's lists of captions by people: NAME.jpg#0, a tab and the caption"
-- shape: captions
-- line: '^[^\t]+\.(jpg|jpeg|png)#\d+\t'

select
    row_in_file, split_part(line, '#', 1) as image, substr(line, strpos(line, chr(9)) + 1) as caption,
    'human' as captioner, 'reference' as prompt
from file
